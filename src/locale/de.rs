use super::Messages; pub const MESSAGES: Messages = Messages {};
