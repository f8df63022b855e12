/** Allowed characters of custom tool names. */
export const CUSTOM_TOOL_NAME_PATTERN: RegExp = /^[a-zA-Z0-9_.:-]+$/
