import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { scriptedModel } from 'toolport/testing'
import { expect } from 'vitest'
import { newContext } from '../demo/visit.js'

export const root = fileURLToPath(new URL('../../', import.meta.url))
const [, section = ''] = readFileSync(`${root}docs/preview.md`, 'utf8').split('## A page of your own')
const block = (language: string): string => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section)?.[1] ?? ''

/** The page of docs/preview.md, its program, and the commands before it. */
export const [html, program, commands] = [block('html'), block('ts'), block('sh')] as const

/** Uses the page as a person does: edits a file by hand, then lets a scripted model write an app. */
export async function useOwnPage(address: string): Promise<void> {
  const model = scriptedModel([
    [
      { name: 'write_file', input: { path: 'index.html', content: '<main></main><script type="module" src="/app.ts"></script>' } },
      { name: 'write_file', input: { path: 'app.ts', content: 'document.querySelector<HTMLElement>("#main")!.textContent = "Built"' } },
    ],
    { name: 'open_preview', input: {} },
    ({ messages }) => {
      expect(messages.at(-1)?.text).toContain('(/workspace/app.ts:1:')
      return { name: 'edit_file', input: { path: 'app.ts', edits: [{ old_string: '#main', new_string: 'main' }] } }
    },
    { name: 'read_preview', input: {} },
    ({ messages }) => {
      expect(messages.at(-1)?.text).toContain('No messages.')
      return 'It works.'
    },
  ])
  const page = await (await newContext()).newPage()
  await page.route('https://api.openai.com/**', async (route) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (route.request().method() === 'OPTIONS') return route.fulfill({ status: 204, headers })
    const answer = await model.fetch(route.request().url(), { method: 'POST', body: route.request().postData() })
    await route.fulfill({ status: answer.status, headers, contentType: 'application/json', body: await answer.text() })
  })
  await page.goto(address)
  const frame = page.frameLocator('iframe')
  await frame.getByText('Hello').waitFor()
  await page.getByLabel('Text of the file').fill('<h1>By hand</h1>')
  await frame.getByText('By hand').waitFor()
  await page.getByLabel('OpenAI key').fill('none')
  await page.getByLabel('Task').fill('Write an app.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('log').getByText('It works.').waitFor()
  await frame.getByText('Built').waitFor()
  await page.locator('#files').selectOption('app.ts')
  await expect.poll(() => page.getByLabel('Text of the file').inputValue()).toContain('"main"')
}
