//! Macros: what can be read of them, and what must be listed as not seen.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::visit::Visit as _;
use syn::{Block, Expr, LitStr, Macro, Token};

use super::modules::Directory;
use super::visit::{FileVisitor, Next};
use crate::calls::Opaque;
use crate::hidden::{Hidden, Reason};
use crate::source::Location;

impl FileVisitor<'_> {
    pub(super) fn hide(&mut self, reason: Reason, tokens: &impl ToTokens, what: String) {
        if let Some(location) = Location::of_tokens(&self.source, &tokens.to_token_stream()) {
            self.walked.hidden.push(Hidden { location, reason, what });
        }
    }

    /// A macro call among items: what it makes is unknown.
    pub(super) fn item_macro(&mut self, call: &Macro) {
        let name = path_text(&call.path);
        let last = call.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        if last == "include" {
            match call.parse_body::<LitStr>() {
                Ok(path) => self.include(call, &path.value()),
                Err(_) => self.hide(
                    Reason::Macro,
                    call,
                    "the file that `include!` names is known only to the compiler".to_owned(),
                ),
            }
        } else if MAKE_NO_FUNCTIONS.contains(&last.as_str()) {
            // Values and checks.
        } else if let Ok(items) = call.parse_body::<syn::File>()
            && !items.items.is_empty()
        {
            // `cfg_rt! { mod runtime; }`: most such macros give the items back as they are.
            self.visit_file(&items);
            self.unless_read(call, last, format!("what the macro call `{name}!` makes of the items in it"));
        } else if self.names.occur_in(call.tokens.clone()) {
            let what = format!("`#[idempotent]` stands inside the macro call `{name}!`");
            self.hide(Reason::Macro, call, what);
        } else if has_items(call.tokens.clone()) {
            self.hide(Reason::Macro, call, format!("functions or modules in the macro call `{name}!`"));
        } else {
            self.unless_read(call, last, format!("what the macro call `{name}!` makes"));
        }
    }

    /// Lists a call if the definition of the macro is nowhere in the workspace.
    fn unless_read(&mut self, call: &Macro, name: String, what: String) {
        if let Some(location) = Location::of_tokens(&self.source, &call.to_token_stream()) {
            self.walked.macro_calls.push((name, Hidden { location, reason: Reason::Macro, what }));
        }
    }

    fn include(&mut self, call: &Macro, path: &str) {
        let file = self.directory.included(path);
        if file.is_file() {
            let directory = Directory::beside(&file);
            self.next.push(Next { path: file, directory, context: self.context.clone() });
        } else {
            self.hide(Reason::MissingModule, call, format!("`include!(\"{path}\")`: there is no such file"));
        }
    }

    /// A macro call inside a function: its arguments are visited if they are expressions or statements.
    pub(super) fn inner_macro(&mut self, call: &Macro) {
        if let Ok(arguments) = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated) {
            for argument in &arguments {
                self.visit_expr(argument);
            }
        } else if let Ok(statements) = call.parse_body_with(Block::parse_within) {
            for statement in &statements {
                self.visit_stmt(statement);
            }
        } else {
            self.opaque(call);
        }
    }

    fn opaque(&mut self, call: &Macro) {
        let name = path_text(&call.path);
        if self.names.occur_in(call.tokens.clone()) {
            let what = format!("`#[idempotent]` stands inside the macro call `{name}!`");
            self.hide(Reason::Macro, call, what);
        }
        let location = Location::of_tokens(&self.source, &call.to_token_stream());
        if let (Some(frame), Some(location)) = (self.frames.last_mut(), location) {
            let mut words = HashSet::new();
            collect_words(call.tokens.clone(), &mut words);
            frame.facts.opaque.push(Opaque { name, words, location });
        }
    }

    /// `macro_rules! name`
    pub(super) fn macro_definition(&mut self, name: &Ident, definition: &Macro) {
        if self.names.occur_in(definition.tokens.clone()) {
            let what = format!("`{name}!` writes `#[idempotent]`; the functions it makes");
            self.hide(Reason::Macro, name, what);
        } else {
            self.walked.known_macros.insert(name.unraw().to_string());
        }
    }
}

/// Macros of common libraries that define values or checks, not functions.
const MAKE_NO_FUNCTIONS: [&str; 8] = [
    "thread_local",
    "task_local",
    "lazy_static",
    "compile_error",
    "const_assert",
    "assert_impl_all",
    "static_assertions",
    "global_asm",
];

/// Whether these tokens hold a named function or a module.
fn has_items(tokens: TokenStream) -> bool {
    let mut is_keyword = false;
    tokens.into_iter().any(|token| {
        let follows_keyword = std::mem::take(&mut is_keyword);
        match token {
            TokenTree::Ident(word) => {
                is_keyword = word == "fn" || word == "mod";
                follows_keyword
            }
            TokenTree::Group(group) => has_items(group.stream()),
            _ => false,
        }
    })
}

fn path_text(path: &syn::Path) -> String {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>().join("::")
}

fn collect_words(tokens: TokenStream, words: &mut HashSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                words.insert(ident.unraw().to_string());
            }
            TokenTree::Group(group) => collect_words(group.stream(), words),
            _ => {}
        }
    }
}
