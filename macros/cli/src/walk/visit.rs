//! One file: its annotated functions, its other functions, and what it hides.

use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, FnArg, Ident, ImplItemFn, ItemFn, Macro, Signature, TraitItemFn};

use super::attribute::{Names, condition_text, conditions, is_for_tests, is_test};
use super::definitions::Definition;
use super::fresh::Locals;
use super::modules::Directory;
use super::names::receiver_name;
use super::owner::Owner;
use super::{Context, Walked};
use crate::annotated::{Annotated, Places};
use crate::calls::{Call, FunctionFacts};
use crate::hidden::Reason;
use crate::source::{Location, Source};

/// A file that another one names.
#[derive(Debug)]
pub(super) struct Next {
    pub(super) path: cargo_metadata::camino::Utf8PathBuf,
    pub(super) directory: Directory,
    pub(super) context: Context,
}

/// Visits one file.
pub(super) struct FileVisitor<'a> {
    pub(super) source: Rc<Source>,
    pub(super) names: Names,
    pub(super) context: Context,
    pub(super) directory: Directory,
    pub(super) walked: &'a mut Walked,
    pub(super) next: Vec<Next>,
    pub(super) owner: Option<Owner>,
    pub(super) frames: Vec<Frame>,
}

/// A function whose body is being visited.
pub(super) struct Frame {
    pub(super) facts: FunctionFacts,
    locals: Locals,
}

impl FileVisitor<'_> {
    /// Visits something under its own conditions.
    pub(super) fn under(&mut self, attributes: &[Attribute], visit: impl FnOnce(&mut Self)) {
        let before = self.context.clone();
        for condition in conditions(attributes) {
            self.context.is_test |= is_for_tests(&condition);
            self.context.conditions.push(condition_text(&condition));
        }
        self.context.is_test |= is_test(attributes);
        visit(self);
        self.context = before;
    }

    /// The attribute and what it stands on, and then the body.
    fn function<T: ToTokens + Clone>(
        &mut self,
        item: &T,
        attributes: fn(&mut T) -> &mut Vec<Attribute>,
        signature: &Signature,
        body: Option<&Block>,
    ) {
        let mut item = item.clone();
        let all = attributes(&mut item).clone();
        self.under(&all, |this| {
            let position = all.iter().position(|attribute| this.names.arguments(attribute).is_some());
            if let Some(position) = position {
                let attribute = attributes(&mut item).remove(position);
                this.annotated(&attribute, item.to_token_stream(), &signature.ident);
            }
            for (index, attribute) in all.iter().enumerate() {
                if Some(index) != position {
                    this.visit_attribute_of_function(attribute);
                }
            }
            if let Some(body) = body {
                this.body(signature, body, position.is_some());
            }
        });
    }

    /// A second one is the engine's to report.
    fn visit_attribute_of_function(&mut self, attribute: &Attribute) {
        if self.names.arguments(attribute).is_none() {
            visit::visit_attribute(self, attribute);
        }
    }

    fn annotated(&mut self, attribute: &Attribute, item: TokenStream, name: &Ident) {
        let arguments = self.names.arguments(attribute).unwrap_or_default();
        let place = Location::of_tokens(&self.source, &attribute.path().to_token_stream());
        let name_place = Location::of_spans(&self.source, (name.span(), name.span()));
        let (Some(place), Some(name_place)) = (place, name_place) else { return };
        let owner = self.owner.clone();
        let places = Places { attribute: place, name: name_place };
        let (annotated, findings) = Annotated::read(arguments, item, places, owner, &self.context);
        self.walked.annotated.push(annotated);
        self.walked.findings.extend(findings);
    }

    fn body(&mut self, signature: &Signature, body: &Block, is_annotated: bool) {
        let name = &signature.ident;
        let Some(place) = Location::of_spans(&self.source, (name.span(), name.span())) else { return };
        let arity = signature.inputs.iter().filter(|input| matches!(input, FnArg::Typed(_))).count();
        let facts = FunctionFacts {
            name: name.unraw().to_string(),
            owner: self.owner.as_ref().and_then(|owner| owner.name.clone()),
            module: self.context.module.clone(),
            package: self.context.package,
            place,
            role: self.context.role,
            is_test: self.context.is_test,
            is_annotated,
            has_receiver: signature.receiver().is_some(),
            arity,
            calls: Vec::new(),
            opaque: Vec::new(),
        };
        // A type outside is not the owner of a function inside.
        let owner = self.owner.take();
        self.frames.push(Frame { facts, locals: Locals::default() });
        self.visit_block(body);
        if let Some(frame) = self.frames.pop() {
            self.walked.functions.push(frame.facts);
        }
        self.owner = owner;
    }

    fn owned_by(&mut self, owner: Owner, visit: impl FnOnce(&mut Self)) {
        let before = self.owner.replace(owner);
        visit(self);
        self.owner = before;
    }

    fn module_file(&mut self, module: &syn::ItemMod) {
        let candidates = self.directory.candidates(&module.ident, &module.attrs);
        if candidates.existing.is_empty() {
            let shown: Vec<String> =
                candidates.tried.iter().map(|file| format!("`{}`", self.walked.shown(file))).collect();
            let under = match conditions(&module.attrs).first() {
                Some(condition) => format!(" under `#[cfg({})]`", condition_text(condition)),
                None => String::new(),
            };
            let what = format!("`mod {}`{under}: there is no {}", module.ident, shown.join(" or "));
            self.hide(Reason::MissingModule, &module.ident, what);
        }
        for (path, directory) in candidates.existing {
            self.next.push(Next { path, directory, context: self.context.clone() });
        }
    }

    fn call(&mut self, call: Call) {
        if let Some(frame) = self.frames.last_mut() {
            frame.facts.calls.push(call);
        }
    }
}

impl<'ast> Visit<'ast> for FileVisitor<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function(item, |item| &mut item.attrs, &item.sig, Some(&item.block));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(item, |item| &mut item.attrs, &item.sig, Some(&item.block));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        self.function(item, |item| &mut item.attrs, &item.sig, item.default.as_ref());
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.definition(&item.attrs, |package| Definition::of_struct(item, package));
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.definition(&item.attrs, |package| Definition::of_enum(item, package));
        visit::visit_item_enum(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.definition(&item.attrs, |package| Definition::of_alias(item, package));
        visit::visit_item_type(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let owner = Owner::of_impl(item);
        self.under(&item.attrs, |this| {
            this.owned_by(owner, |this| visit::visit_item_impl(this, item));
        });
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        let owner = Owner::of_trait(item);
        self.under(&item.attrs, |this| {
            this.owned_by(owner, |this| visit::visit_item_trait(this, item));
        });
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.under(&item.attrs, |this| {
            this.context.module.push(item.ident.unraw().to_string());
            if item.content.is_some() {
                let inside = this.directory.inside(&item.ident, &item.attrs);
                let before = std::mem::replace(&mut this.directory, inside);
                visit::visit_item_mod(this, item);
                this.directory = before;
            } else {
                this.module_file(item);
            }
        });
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        match &item.ident {
            Some(name) => self.macro_definition(name, &item.mac),
            None => self.item_macro(&item.mac),
        }
    }

    fn visit_impl_item_macro(&mut self, item: &'ast syn::ImplItemMacro) {
        self.item_macro(&item.mac);
    }

    fn visit_trait_item_macro(&mut self, item: &'ast syn::TraitItemMacro) {
        self.item_macro(&item.mac);
    }

    fn visit_foreign_item_macro(&mut self, _: &'ast syn::ForeignItemMacro) {}

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.inner_macro(call);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if self.names.arguments(attribute).is_some() {
            let what = "`#[idempotent]` stands on something that is no function".to_owned();
            self.hide(Reason::Misplaced, attribute, what);
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        visit::visit_local(self, local);
        let value = local.init.as_ref().map(|init| &*init.expr);
        let source = Rc::clone(&self.source);
        if let Some(frame) = self.frames.last_mut() {
            frame.locals.bind(&local.pat, value, &source);
        }
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let (Expr::Path(path), Some(frame)) = (&*call.func, self.frames.last())
            && let Some(name) = path.path.segments.last()
            && let Some(place) = Location::of_spans(&self.source, (name.ident.span(), name.ident.span()))
        {
            let qualifier = path.path.segments.iter().rev().nth(1);
            let found = Call {
                name: name.ident.unraw().to_string(),
                qualifier: qualifier.map(|segment| segment.ident.unraw().to_string()),
                is_method: false,
                arity: call.args.len(),
                fresh: frame.locals.arguments(&call.args, &self.source),
                range: place.range,
            };
            self.call(found);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let place = Location::of_spans(&self.source, (call.method.span(), call.method.span()));
        if let (Some(place), Some(frame)) = (place, self.frames.last()) {
            let found = Call {
                name: call.method.unraw().to_string(),
                qualifier: receiver_name(&call.receiver),
                is_method: true,
                arity: call.args.len(),
                fresh: frame.locals.arguments(&call.args, &self.source),
                range: place.range,
            };
            self.call(found);
        }
        visit::visit_expr_method_call(self, call);
    }
}
