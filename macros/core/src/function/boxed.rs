//! What `#[async_trait]` makes of an async function. It sits on the impl and therefore expands first.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{
    Block, FnArg, GenericArgument, Pat, PathArguments, ReturnType, Signature, Stmt, Type, TypeParamBound,
};

use super::{
    Function, Layer, Parameter, item, pattern::collect_parameters, split_inner_attributes,
    without_opaque_types,
};
use crate::report::Report;

// Input:
//     fn f<'life0, 'async_trait>(&'life0 self, __arg1: (A, B)) -> Pin<Box<dyn Future<Output = RET> + …>> {
//         Box::pin(async move {
//             if let Some(__ret) = None::<RET> { return __ret; }
//             let __self = self;
//             let (a, b) = { let __arg1 = __arg1; __arg1 };
//             let __ret: RET = BODY;
//             __ret
//         })
//     }
//
// Only BODY is replaced: all names of the parameters are in scope there.
pub(super) fn function(
    head: TokenStream,
    signature: Signature,
    outer: &Group,
    report: &mut Report,
) -> Option<Function> {
    let Some(output) = future_output(&signature.output) else {
        item::report_not_async(&signature, report);
        return None;
    };
    if matches!(&output, Type::Tuple(unit) if unit.elems.is_empty()) {
        item::report_no_result(&signature.ident, report);
        return None;
    }
    let Some(Parts { layers, lets, body }) = parts(head, outer) else {
        item::report_boxed(&signature, report);
        return None;
    };
    let (receiver, parameters) = names(&signature, lets);
    let bindings = parameters.iter().map(|parameter| parameter.name.clone()).collect();
    let (inner_attributes, body) = split_inner_attributes(&body);
    let output = without_opaque_types(output);
    Some(Function { signature, bindings, parameters, receiver, output, inner_attributes, body, layers })
}

struct Parts {
    layers: Vec<Layer>,
    lets: TokenStream,
    body: Group,
}

/// Takes the nest apart; `None` if it is another nest.
fn parts(head: TokenStream, outer: &Group) -> Option<Parts> {
    let call = only_group(&outer.stream(), Delimiter::Parenthesis, &["Box", ":", ":", "pin"])?;
    let block = only_group(&call.group.stream(), Delimiter::Brace, &["async", "move"])?;
    let tokens: Vec<TokenTree> = block.group.stream().into_iter().collect();
    let start = tokens.windows(3).position(is_return_let)?;
    let length = tokens.get(start..)?.windows(2).position(|pair| match pair {
        [TokenTree::Punct(equals), TokenTree::Group(body)] => {
            equals.as_char() == '=' && body.delimiter() == Delimiter::Brace
        }
        _ => false,
    })?;
    let index = start + length + 1;
    let Some(TokenTree::Group(body)) = tokens.get(index) else { return None };
    let inner = Layer {
        before: tokens.get(..index)?.iter().cloned().collect(),
        delimiter: Delimiter::Brace,
        span: body.span(),
        after: tokens.get(index + 1..)?.iter().cloned().collect(),
    };
    let lets = tokens.get(..start)?.iter().cloned().collect();
    let layers = vec![
        Layer { before: head, delimiter: Delimiter::Brace, span: outer.span(), after: TokenStream::new() },
        call.layer(),
        block.layer(),
        inner,
    ];
    Some(Parts { layers, lets, body: body.clone() })
}

/// `let __ret :`
fn is_return_let(window: &[TokenTree]) -> bool {
    match window {
        [TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Punct(colon)] => {
            word == "let" && name == "__ret" && colon.as_char() == ':'
        }
        _ => false,
    }
}

struct Nested {
    before: TokenStream,
    group: Group,
}

impl Nested {
    fn layer(&self) -> Layer {
        Layer {
            before: self.before.clone(),
            delimiter: self.group.delimiter(),
            span: self.group.span(),
            after: TokenStream::new(),
        }
    }
}

/// `expected (…)`, and nothing after it.
fn only_group(stream: &TokenStream, delimiter: Delimiter, expected: &[&str]) -> Option<Nested> {
    let mut before: Vec<TokenTree> = stream.clone().into_iter().collect();
    let Some(TokenTree::Group(group)) = before.pop() else { return None };
    let texts: Vec<String> = before.iter().map(ToString::to_string).collect();
    (group.delimiter() == delimiter && texts == expected)
        .then(|| Nested { before: before.into_iter().collect(), group })
}

/// `RET` of `Pin<Box<dyn Future<Output = RET> + …>>`
fn future_output(output: &ReturnType) -> Option<Type> {
    let ReturnType::Type(_, output) = output else { return None };
    let boxed = generic(output, "Pin")?;
    let Type::TraitObject(object) = generic(&boxed, "Box")? else { return None };
    let future = object.bounds.iter().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().filter(|last| last.ident == "Future"),
        _ => None,
    })?;
    let PathArguments::AngleBracketed(arguments) = &future.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::AssocType(output) if output.ident == "Output" => Some(output.ty.clone()),
        _ => None,
    })
}

/// `T` of `name<T>`
fn generic(ty: &Type, name: &str) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inner) => Some(inner.clone()),
        _ => None,
    }
}

/// The names in scope of the body: `__self`, and the parameters as they are bound again.
fn names(signature: &Signature, lets: TokenStream) -> (Option<Ident>, Vec<Parameter>) {
    let mut receiver = None;
    let mut parameters = Vec::new();
    // The stand-ins for patterns, with their types; the patterns themselves follow in `let`s.
    let mut stand_ins = Vec::new();
    for input in &signature.inputs {
        if let FnArg::Typed(parameter) = input {
            match &*parameter.pat {
                Pat::Ident(stand_in) if is_stand_in(&stand_in.ident) => {
                    stand_ins.push((stand_in.ident.clone(), (*parameter.ty).clone()));
                }
                pattern => collect_parameters(pattern, &parameter.ty, &mut parameters),
            }
        }
    }
    let statements = (|input: ParseStream<'_>| Block::parse_within(input)).parse2(lets).unwrap_or_default();
    for statement in statements {
        let Stmt::Local(local) = statement else { continue };
        match &local.pat {
            Pat::Ident(pattern) if pattern.ident == "__self" => receiver = Some(pattern.ident.clone()),
            Pat::Ident(stand_in) if is_stand_in(&stand_in.ident) => {}
            pattern => {
                let Some(init) = &local.init else { continue };
                let value = init.expr.to_token_stream().to_string();
                let stand_in = stand_ins.iter().find(|(name, _)| mentions(&value, &name.to_string()));
                // Most parameters are bound again, in a `let` of the same name.
                if let Some((_, ty)) = stand_in {
                    collect_parameters(pattern, ty, &mut parameters);
                }
            }
        }
    }
    (receiver, parameters)
}

fn is_stand_in(name: &Ident) -> bool {
    name.to_string().starts_with("__arg")
}

fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}
