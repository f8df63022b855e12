/** What one program may have at the most: of the engine's memory, and of files beside it. Mutable: what is taken, in bytes. */
export interface Room {
  readonly maxBytes: number
  engine: number
  files: number
  /** The engine has asked for a little more, and there was none: since then nothing has fitted. */
  refused: boolean
}

export const createRoom = (maxBytes: number): Room => ({ maxBytes, engine: 0, files: 0, refused: false })

export const roomLeft = ({ maxBytes, engine, files }: Room): number => maxBytes - engine - files
