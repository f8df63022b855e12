import { ShellError } from '../../src/errors/index.js'

const NOT_THERE = 'The virtual shell could not be loaded: a chunk of it, which comes with this package, is not there.'

/** Loads a part of the shell on first use. @throws {ShellError} `unavailable` */
export const loadChunk = <T>(chunk: Promise<T>, message: string = NOT_THERE): Promise<T> =>
  chunk.catch((cause: unknown) => {
    throw new ShellError('unavailable', message, { cause })
  })
