import type { PatchLine } from './types.js'

/** Whether the line is in the old file: a context line or a removed line. */
export const isOld = ({ mark }: PatchLine): boolean => mark !== '+'

/** Returns the texts of the lines before the change. */
export const oldLines = (lines: readonly PatchLine[]): string[] => lines.filter(isOld).map(({ text }) => text)

/** Returns the texts of the lines after the change. */
export const newLines = (lines: readonly PatchLine[]): string[] => lines.filter(({ mark }) => mark !== '-').map(({ text }) => text)
