//! The annotated function. Only the signature is parsed; head and body stay the user's tokens.

mod boxed;
mod item;
mod pattern;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, FnArg, GenericArgument, PathArguments, ReturnType, Signature, Type, Visibility};

use self::pattern::collect_parameters;
use crate::diagnostic::Place;
use crate::report::Report;

/// An async function, or what `#[async_trait]` makes of one.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) signature: Signature,
    /// Every name that the parameters bring into scope, in order, without `self`.
    pub(crate) bindings: Vec<Ident>,
    /// The same names with the types of their parameters.
    pub(crate) parameters: Vec<Parameter>,
    /// The token that means `self` where the expansion stands.
    pub(crate) receiver: Option<Ident>,
    /// The declared return type, opaque types replaced by `_`.
    pub(crate) output: Type,
    /// Inner attributes of the body: they belong to the function and must come first.
    pub(crate) inner_attributes: TokenStream,
    /// The statements that run once.
    pub(crate) body: Group,
    layers: Vec<Layer>,
}

/// A name that a parameter brings into scope.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Ident,
    /// The type of the whole parameter.
    pub(crate) ty: Type,
    /// Whether the name is the parameter; otherwise it is a binding of its pattern.
    pub(crate) whole: bool,
    /// Of a binding of a struct pattern: the names that it is read through, as `input` and `order_no` of
    /// `CreateInput { order_no: no }`; the struct is named by its last word.
    pub(crate) fields: Vec<String>,
}

/// What stands around the body, outermost first.
#[derive(Clone, Debug)]
struct Layer {
    before: TokenStream,
    delimiter: Delimiter,
    span: Span,
    after: TokenStream,
}

impl Function {
    /// Reads the item; `None` if it is not a function that can be protected, which is then reported.
    pub(crate) fn parse(item: TokenStream, report: &mut Report) -> Option<Self> {
        let (head, body) = split(item);
        let parsed = head_parser.parse2(head.clone());
        let Ok(Head { attributes, signature }) = parsed else {
            item::report_unsupported(head, body.is_some(), report);
            return None;
        };
        let twice = attributes.iter().find(|attribute| {
            attribute.path().segments.last().is_some_and(|segment| segment.ident == "idempotent")
        });
        if let Some(twice) = twice {
            report
                .error("duplicate-attribute", &Place::of(twice), "the function is annotated twice")
                .help("keep one `#[idempotent(..)]`");
            return None;
        }
        let Some(body) = body else {
            report
                .error("unsupported-function", &Place::at(signature.ident.span()), "the function has no body")
                .help("annotate the functions of each `impl` instead");
            return None;
        };
        item::check_signature(&signature, report)?;
        let function = if signature.asyncness.is_none() {
            boxed::function(head, signature, &body, report)
        } else {
            Self::plain(head, signature, &body, report)
        }?;
        item::check_output(&function.output, report);
        Some(function)
    }

    fn plain(head: TokenStream, signature: Signature, body: &Group, report: &mut Report) -> Option<Self> {
        let output = match &signature.output {
            ReturnType::Type(_, output) => without_opaque_types((**output).clone()),
            ReturnType::Default => {
                item::report_no_result(&signature.ident, report);
                return None;
            }
        };
        let receiver = signature.receiver().map(|receiver| Ident::new("self", receiver.self_token.span));
        let parameters = signature_parameters(&signature);
        let bindings = parameters.iter().map(|parameter| parameter.name.clone()).collect();
        let layer = Layer {
            before: head,
            delimiter: Delimiter::Brace,
            // The user's own span: with any other, rustc loses `dead_code` and points lints at the attribute.
            span: body.span(),
            after: TokenStream::new(),
        };
        let (inner_attributes, body) = split_inner_attributes(body);
        Some(Self {
            signature,
            bindings,
            parameters,
            receiver,
            output,
            inner_attributes,
            body,
            layers: vec![layer],
        })
    }

    /// The whole item with `content` in place of the body.
    pub(crate) fn with_body(&self, content: TokenStream) -> TokenStream {
        let mut content: TokenStream = self.inner_attributes.clone().into_iter().chain(content).collect();
        for layer in self.layers.iter().rev() {
            let mut group = Group::new(layer.delimiter, content);
            group.set_span(layer.span);
            let group = TokenTree::Group(group);
            content = layer.before.clone().into_iter().chain([group]).chain(layer.after.clone()).collect();
        }
        content
    }

    /// The parameter called `name`.
    pub(crate) fn binding(&self, name: &str) -> Option<&Ident> {
        // The last of two equal names is the one in scope.
        self.bindings.iter().rev().find(|binding| binding.unraw() == name)
    }

    /// The same with its type.
    pub(crate) fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().rev().find(|parameter| parameter.name.unraw() == name)
    }
}

/// Whether the item is a function with a body, right or wrong.
pub(crate) fn is_function(item: TokenStream) -> bool {
    let (head, body) = split(item);
    body.is_some() && head_parser.parse2(head).is_ok()
}

struct Head {
    attributes: Vec<Attribute>,
    signature: Signature,
}

fn head_parser(input: ParseStream<'_>) -> syn::Result<Head> {
    let attributes = input.call(Attribute::parse_outer)?;
    input.parse::<Visibility>()?;
    if input.peek(syn::Token![default]) {
        input.parse::<syn::Token![default]>()?;
    }
    Ok(Head { attributes, signature: input.parse()? })
}

/// Everything before the last brace group, and that group. A `macro_rules!` fragment leaves invisible groups
/// around an item or a block.
fn split(item: TokenStream) -> (TokenStream, Option<Group>) {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    if let [TokenTree::Group(group)] = tokens.as_slice()
        && group.delimiter() == Delimiter::None
    {
        return split(group.stream());
    }
    match tokens.pop() {
        Some(TokenTree::Group(group)) => match visible(group) {
            Ok(body) => (tokens.into_iter().collect(), Some(body)),
            Err(other) => (tokens.into_iter().chain([other.into()]).collect(), None),
        },
        // The semicolon of a function without a body.
        Some(TokenTree::Punct(punct)) if punct.as_char() == ';' => (tokens.into_iter().collect(), None),
        last => (tokens.into_iter().chain(last).collect(), None),
    }
}

/// The brace group, out of invisible groups around it.
fn visible(group: Group) -> Result<Group, Group> {
    match group.delimiter() {
        Delimiter::Brace => Ok(group),
        Delimiter::None => {
            let mut inner = group.stream().into_iter();
            match (inner.next(), inner.next()) {
                (Some(TokenTree::Group(only)), None) => visible(only).map_err(|_| group),
                _ => Err(group),
            }
        }
        Delimiter::Parenthesis | Delimiter::Bracket => Err(group),
    }
}

/// `{ #![…] statements }` → `#![…]`, `{ statements }`
fn split_inner_attributes(body: &Group) -> (TokenStream, Group) {
    let mut rest: Vec<TokenTree> = body.stream().into_iter().collect();
    let mut length = 0;
    while let Some([TokenTree::Punct(hash), TokenTree::Punct(bang), TokenTree::Group(group)]) =
        rest.get(length..length + 3)
        && hash.as_char() == '#'
        && bang.as_char() == '!'
        && group.delimiter() == Delimiter::Bracket
    {
        length += 3;
    }
    let statements = rest.split_off(length);
    let mut group = Group::new(Delimiter::Brace, statements.into_iter().collect());
    group.set_span(body.span());
    (rest.into_iter().collect(), group)
}

fn signature_parameters(signature: &Signature) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    for input in &signature.inputs {
        if let FnArg::Typed(parameter) = input {
            collect_parameters(&parameter.pat, &parameter.ty, &mut parameters);
        }
    }
    parameters
}

/// `Result<impl Trait, E>` → `Result<_, E>`: an opaque type cannot be named a second time.
fn without_opaque_types(mut output: Type) -> Type {
    replace_opaque_types(&mut output);
    output
}

fn replace_opaque_types(ty: &mut Type) {
    match ty {
        Type::ImplTrait(opaque) => {
            *ty = Type::Infer(syn::TypeInfer {
                attrs: Vec::new(),
                underscore_token: syn::Token![_](opaque.impl_token.span),
            });
        }
        Type::Paren(inner) => replace_opaque_types(&mut inner.elem),
        Type::Group(inner) => replace_opaque_types(&mut inner.elem),
        Type::Reference(inner) => replace_opaque_types(&mut inner.elem),
        Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(replace_opaque_types),
        Type::Path(path) => {
            for segment in &mut path.path.segments {
                if let PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
                    for argument in &mut arguments.args {
                        if let GenericArgument::Type(argument) = argument {
                            replace_opaque_types(argument);
                        }
                    }
                }
            }
        }
        _ => {}
    }
}
