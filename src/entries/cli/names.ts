// Names that options and configuration keys accept.

export const SHELLS = ['node', 'virtual', 'none'] as const
export type ShellName = (typeof SHELLS)[number]

export const ENGINES = ['sandbox', 'node', 'none'] as const
export type EngineName = (typeof ENGINES)[number]

export const APPROVALS = ['ask', 'always', 'never'] as const
export type ApprovalName = (typeof APPROVALS)[number]

export const FORMATS = ['openai', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk', 'mcp'] as const
export type FormatName = (typeof FORMATS)[number]

export const COMPLETION_SHELLS = ['bash', 'zsh', 'fish'] as const
export type CompletionShell = (typeof COMPLETION_SHELLS)[number]

export const PRESET_NAMES = ['standard', 'loom', 'loaf', 'loom-elixir', 'zeroclaw'] as const
export type PresetName = (typeof PRESET_NAMES)[number]
