//! Enums with a text form.

/// A text that is not a value of the enum it was parsed as.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {type_name}: {text:?}")]
pub struct UnknownValue {
    pub type_name: &'static str,
    pub text: String,
}

/// Defines an enum with a text form, which the database stores.
#[macro_export]
macro_rules! text_enum {
    ($(#[$attribute:meta])* pub enum $name:ident {
        $($(#[$variant_attribute:meta])* $variant:ident = $text:literal,)+
    }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$variant_attribute])* $variant,)+
        }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownValue;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok(Self::$variant),)+
                    _ => Err($crate::UnknownValue {
                        type_name: stringify!($name),
                        text: text.to_owned(),
                    }),
                }
            }
        }
    };
}
