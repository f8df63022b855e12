// Runs in the hooks thread of Node versions without `registerHooks`.
import { type AsyncHooks, asyncHooks } from './hooks.js'
import { loadLexer } from './lexer.js'
import { createRules } from './rules.js'
import type { Task } from './task.js'
import { createTypeScript } from './typescript.js'

let hooks: AsyncHooks | undefined

export async function initialize(task: Task | undefined): Promise<void> {
  const { hasModuleSyntax, hasDefaultExport } = await loadLexer()
  hooks = asyncHooks(createRules({ task, typescript: createTypeScript(hasModuleSyntax), hasDefaultExport }))
}

export const resolve: AsyncHooks['resolve'] = (specifier, context, next) =>
  hooks ? hooks.resolve(specifier, context, next) : next(specifier, context)

export const load: AsyncHooks['load'] = (url, context, next) => (hooks ? hooks.load(url, context, next) : next(url, context))
