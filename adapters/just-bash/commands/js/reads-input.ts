import { createModuleLoader } from '../../../../src/packages/modules/index.js'
import type { Workspace } from '../../../../src/types/workspace.js'

/** What a program that reads its input has somewhere in its text. */
const READS =
  /\bstdin\b|\breadline\b|\/dev\/(?:stdin|fd\/0)|\b(?:readFileSync|readSync|openSync|fstatSync|readFile|createReadStream)\s*\(\s*0\b/

export interface Wanted {
  readonly code?: string
  readonly entry?: string
  readonly cwd: string
}

/**
 * Whether a program may read its input, as far as its modules say so. What commands of a script share is not given to others: the lines that
 * `while read` is still to have would be lost in a program that looks at none of them.
 */
export async function readsInput(workspace: Workspace, { code, entry, cwd }: Wanted): Promise<boolean> {
  if (code !== undefined && READS.test(code)) return true
  const program = entry === undefined ? { code: code ?? '', filename: '[eval].js', format: 'commonjs' as const } : { entry }
  try {
    const { modules } = await createModuleLoader(workspace, { builtins: new Set() }).load(program, { cwd })
    for (const module of modules.values()) if (READS.test(module.code)) return true
  } catch {
    // The adapter says what is wrong with it.
  }
  return false
}
