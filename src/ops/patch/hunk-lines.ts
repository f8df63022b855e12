import type { PatchLine } from './types.js'

/** A line that the file has before: one that stays or goes. */
export const isOld = ({ mark }: PatchLine): boolean => mark !== '+'

/** What the file has before. */
export const oldLines = (lines: readonly PatchLine[]): string[] => lines.filter(isOld).map(({ text }) => text)

/** What it has after. */
export const newLines = (lines: readonly PatchLine[]): string[] => lines.filter(({ mark }) => mark !== '-').map(({ text }) => text)
