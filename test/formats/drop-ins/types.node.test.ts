// @module-tag drop-ins
import type { betaMemoryTool, MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory'
import type {
  ApplyPatchOperation,
  applyPatchTool,
  Editor,
  Shell,
  ShellAction,
  ShellOutputResult,
  ShellResult,
  shellTool,
} from '@openai/agents-core'
import type { Experimental_SandboxProcess, Experimental_SandboxSession, generateText } from 'ai'
import type { IFileSystem } from 'just-bash'
import type { BashFs } from 'toolport'
import type {
  AiSdkProcess,
  AiSdkSandbox,
  AnthropicMemory,
  AnthropicMemoryCommands,
  OpenAiCreateFile,
  OpenAiDeleteFile,
  OpenAiEditor,
  OpenAiShell,
  OpenAiShellAction,
  OpenAiShellOutput,
  OpenAiShellResult,
  OpenAiUpdateFile,
} from 'toolport/formats'
import { describe, expectTypeOf, it } from 'vitest'

type Operation<Type extends ApplyPatchOperation['type']> = Extract<ApplyPatchOperation, { type: Type }>
type Options<Method extends keyof Omit<AiSdkSandbox, 'description'>> = Parameters<AiSdkSandbox[Method]>[0]
type PeerOptions<Method extends keyof Omit<Experimental_SandboxSession, 'description'>> = Parameters<Experimental_SandboxSession[Method]>[0]

// Checked by tsc: our copies of the packages' types equal the originals.
describe('types of the peer packages', () => {
  it('AI SDK accepts the sandbox, which has the same parameter types', () => {
    expectTypeOf<AiSdkSandbox>().toExtend<Experimental_SandboxSession>()
    expectTypeOf<AiSdkSandbox>().toExtend<NonNullable<Parameters<typeof generateText>[0]['experimental_sandbox']>>()
    expectTypeOf<AiSdkProcess>().toExtend<Experimental_SandboxProcess>()
    expectTypeOf<keyof AiSdkSandbox>().toEqualTypeOf<keyof Experimental_SandboxSession>()
    expectTypeOf<keyof AiSdkProcess>().toEqualTypeOf<keyof Experimental_SandboxProcess>()
    expectTypeOf<PeerOptions<'readFile'>>().toExtend<Options<'readFile'>>()
    expectTypeOf<PeerOptions<'readBinaryFile'>>().toExtend<Options<'readBinaryFile'>>()
    expectTypeOf<PeerOptions<'readTextFile'>>().toExtend<Options<'readTextFile'>>()
    expectTypeOf<PeerOptions<'writeFile'>>().toExtend<Options<'writeFile'>>()
    expectTypeOf<PeerOptions<'writeBinaryFile'>>().toExtend<Options<'writeBinaryFile'>>()
    expectTypeOf<PeerOptions<'writeTextFile'>>().toExtend<Options<'writeTextFile'>>()
    expectTypeOf<PeerOptions<'stat'>>().toExtend<Options<'stat'>>()
    expectTypeOf<PeerOptions<'listDirectory'>>().toExtend<Options<'listDirectory'>>()
    expectTypeOf<PeerOptions<'deleteFile'>>().toExtend<Options<'deleteFile'>>()
    expectTypeOf<PeerOptions<'run'>>().toExtend<Options<'run'>>()
    expectTypeOf<keyof Options<'run'>>().toEqualTypeOf<keyof PeerOptions<'run'>>()
    expectTypeOf<keyof Options<'readTextFile'>>().toEqualTypeOf<keyof PeerOptions<'readTextFile'>>()
    expectTypeOf<keyof Options<'writeTextFile'>>().toEqualTypeOf<keyof PeerOptions<'writeTextFile'>>()
  })

  it('OpenAI Agents accepts the editor and the shell, which have the same parameter types', () => {
    expectTypeOf<OpenAiEditor>().toExtend<Editor>()
    expectTypeOf<OpenAiEditor>().toExtend<Parameters<typeof applyPatchTool>[0]['editor']>()
    expectTypeOf<keyof OpenAiEditor>().toEqualTypeOf<keyof Editor>()
    expectTypeOf<Operation<'create_file'>>().toExtend<OpenAiCreateFile>()
    expectTypeOf<OpenAiCreateFile>().toExtend<Operation<'create_file'>>()
    expectTypeOf<Operation<'update_file'>>().toExtend<OpenAiUpdateFile>()
    expectTypeOf<keyof OpenAiUpdateFile>().toEqualTypeOf<keyof Operation<'update_file'>>()
    expectTypeOf<Operation<'delete_file'>>().toExtend<OpenAiDeleteFile>()
    expectTypeOf<OpenAiDeleteFile>().toExtend<Operation<'delete_file'>>()
    expectTypeOf<OpenAiShell>().toExtend<Shell>()
    // `Parameters` would use only the last overload, which is for a shell hosted by OpenAI.
    expectTypeOf<typeof shellTool>().toBeCallableWith({ shell: {} as OpenAiShell })
    expectTypeOf<keyof OpenAiShell>().toEqualTypeOf<keyof Shell>()
    expectTypeOf<ShellAction>().toExtend<OpenAiShellAction>()
    expectTypeOf<keyof OpenAiShellAction>().toEqualTypeOf<keyof ShellAction>()
    expectTypeOf<OpenAiShellOutput>().toExtend<ShellOutputResult>()
    expectTypeOf<OpenAiShellResult>().toExtend<ShellResult>()
  })

  it('the Anthropic SDK accepts the memory, which has the same parameter types', () => {
    expectTypeOf<AnthropicMemory>().toExtend<MemoryToolHandlers>()
    expectTypeOf<AnthropicMemory>().toExtend<Parameters<typeof betaMemoryTool>[0]>()
    expectTypeOf<keyof AnthropicMemory>().toEqualTypeOf<keyof MemoryToolHandlers>()
    type Peer = { [Command in keyof MemoryToolHandlers]: Parameters<MemoryToolHandlers[Command]>[0] }
    expectTypeOf<Peer>().toExtend<AnthropicMemoryCommands>()
    expectTypeOf<AnthropicMemoryCommands>().toExtend<Peer>()
  })

  it('just-bash accepts the filesystem, which has all methods except one', () => {
    expectTypeOf<BashFs>().toExtend<IFileSystem>()
    // The result's type cannot be named without the package, so just-bash reads through `readFileBuffer` instead.
    expectTypeOf<Exclude<keyof IFileSystem, keyof BashFs>>().toEqualTypeOf<'readFileBytes'>()
  })
})
