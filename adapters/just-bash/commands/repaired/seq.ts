import { type CommandContext, failed, type OwnCommand, type OwnResult } from '../command.js'

/** Of the library, whose numbers are doubles: beyond 2^53 it would print the same one for ever. */
export const seqCommand: OwnCommand = {
  name: 'seq',
  async execute(args, { origCommand }: CommandContext): Promise<OwnResult> {
    const large = args.find((arg) => /^-?\d+$/.test(arg) && !Number.isSafeInteger(Number(arg)))
    if (large !== undefined) return failed(`seq: ${large}: numbers beyond 2^53 are not supported here: use for ((i=...; i<=...; i++))\n`)
    return origCommand ? origCommand(args) : failed('seq: cannot run here\n', 126)
  },
}
