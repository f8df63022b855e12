import { judgeLine } from './command-judge.js'
import { CommandNames } from './command-names.js'
import { PathRules } from './path-rules.js'
import { isHigh } from './risk.js'
import type { CheckCommandOptions, CommandCheck, Risk, SecuritySettings } from './types.js'
import { isDecisive, isHarmlessValue } from './variables.js'

const READONLY = 'the policy is read-only, so commands may not run: use the file tools to read'

/** Allows or rejects command lines, or asks for approval. */
export class CommandRules {
  readonly #settings: SecuritySettings
  readonly #names: CommandNames
  readonly #paths: PathRules

  constructor(settings: SecuritySettings) {
    this.#settings = settings
    this.#names = new CommandNames(settings)
    this.#paths = new PathRules(settings)
  }

  risk(command: string): Risk {
    return this.#judge(command, undefined).risk
  }

  check(
    command: string,
    { approved = false, cwd, env }: CheckCommandOptions,
    trusted: Readonly<Record<string, string>> = {},
  ): CommandCheck {
    const { problem, risk, names } = this.#judge(command, cwd)
    const denied = this.#placeProblem(cwd) ?? this.#environmentProblem(env, trusted) ?? problem ?? this.#riskProblem(risk, names)
    if (this.#settings.autonomy === 'readonly') return { allowed: false, needsApproval: false, risk, reason: READONLY }
    if (command.trim() === '') return { allowed: false, needsApproval: false, risk, reason: 'the command is empty' }
    if (denied !== undefined) return { allowed: false, needsApproval: false, risk, reason: denied }
    if (approved !== true && this.#asks(risk)) {
      return { allowed: false, needsApproval: true, risk, reason: `the command has ${risk} risk and needs approval` }
    }
    return { allowed: true, needsApproval: false, risk }
  }

  #judge(command: string, cwd: string | undefined): ReturnType<typeof judgeLine> {
    return judgeLine(command, { names: this.#names, paths: this.#paths, anything: this.#anything, cwd })
  }

  /** Whether every command is allowed and no risk is blocked, so that the syntax of the line does not matter. */
  get #anything(): boolean {
    return this.#names.star && !this.#settings.blockHighRiskCommands
  }

  #asks(risk: Risk): boolean {
    const { autonomy, requireApprovalForMediumRisk } = this.#settings
    if (autonomy !== 'supervised') return false
    return risk === 'high' || (risk === 'medium' && requireApprovalForMediumRisk)
  }

  #riskProblem(risk: Risk, names: readonly string[]): string | undefined {
    if (risk !== 'high' || !this.#settings.blockHighRiskCommands) return undefined
    const unlisted = names
      .filter((name) => this.#names.listing(name) !== 'explicit')
      .sort((a, b) => Number(isHigh(b)) - Number(isHigh(a)))[0]
    if (unlisted === undefined) return undefined
    return `the command has high risk, which the policy blocks unless all its commands are listed by name: "${unlisted}" is not listed`
  }

  #placeProblem(cwd: string | undefined): string | undefined {
    if (cwd === undefined) return undefined
    const problem = this.#paths.problem(cwd, 'read')
    return problem && `commands may not run in "${cwd}": ${problem}`
  }

  #environmentProblem(env: CheckCommandOptions['env'] = {}, trusted: Readonly<Record<string, string>>): string | undefined {
    if (this.#anything) return undefined
    const inWorkspace = (path: string): boolean => this.#paths.isInside(path)
    const set = Object.entries(env).find(
      ([name, value]) =>
        isDecisive(name) && !(Object.hasOwn(trusted, name) && trusted[name] === value) && !isHarmlessValue(name, value, inWorkspace),
    )
    return set && `the variable "${set[0]}" may not be set for a command: it can change which program runs`
  }
}
