/** What the names of custom tools consist of. */
export const CUSTOM_TOOL_NAME_PATTERN: RegExp = /^[a-zA-Z0-9_.:-]+$/
