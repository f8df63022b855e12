/** One word of a shell, whatever it holds but NUL. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
