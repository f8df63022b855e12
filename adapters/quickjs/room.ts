/** What one program may have at the most: of the engine's memory, and of files beside it. Mutable: what is taken, in bytes. */
export interface Room {
  readonly maxBytes: number
  engine: number
  files: number
  /** What is on its way between the program and its host. */
  transit: number
  /** What of the files' part nothing is in yet: whoever needs it makes that it is given back (`makeRoom`). */
  spare: number
  giveBack: () => void
  /** The engine has asked for a little more, and there was none: since then nothing has fitted. */
  refused: boolean
}

export const createRoom = (maxBytes: number): Room => ({
  maxBytes,
  engine: 0,
  files: 0,
  transit: 0,
  spare: 0,
  giveBack: () => undefined,
  refused: false,
})

export const roomLeft = ({ maxBytes, engine, files, transit, spare }: Room): number => maxBytes - engine - (files - spare) - transit

/** Gives back what is spare, if so many bytes have no place beside it. Called by whoever takes what is left. */
export function makeRoom(room: Room, bytes: number): void {
  if (room.spare > 0 && bytes > roomLeft(room) - room.spare) room.giveBack()
}

/** There is room for so little, unless there is none for anything. */
export const SMALL = 65_536

/** What goes from the one side to the other stands on both for a while. */
const TWICE = 16 * 2 ** 20

export function mayPass(room: Room, bytes: number): boolean {
  makeRoom(room, bytes - TWICE)
  return bytes <= Math.max(SMALL, roomLeft(room) + TWICE)
}

/** What is made for a program stands on both sides while it takes it. What is small always passes. In bytes. */
export const mostAtOnce = (room: Room): number => Math.max(SMALL, Math.floor((roomLeft(room) + TWICE) / 2))
