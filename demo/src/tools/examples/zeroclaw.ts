import { type ExampleTable, firstFolder, type Known, longestText, smallFile } from './known.js'

/** Examples for the tools of zeroclaw: calls that its security policy allows, and calls that it rejects. */
export function zeroclawExamples(known: Known): ExampleTable {
  const small = smallFile(known)
  const large = longestText(known)
  const folder = firstFolder(known)
  return {
    shell: [
      { label: 'An allowed command', input: { command: folder ? `ls ${folder}` : 'ls' } },
      { label: 'A pipe', input: { command: `grep -r export . | wc -l` } },
      { label: 'One that you are asked about', input: { command: 'git commit -m "A change"' } },
      { label: 'Not on the list', input: { command: 'curl https://example.com' } },
      { label: 'Hidden in a substitution', input: { command: 'echo $(cat README.md)' } },
      { label: 'A forbidden path', input: { command: 'cat /etc/passwd' } },
    ],
    file_read: [
      small ? { label: 'Whole file', input: { path: small } } : undefined,
      large ? { label: 'Lines 10 to 29', input: { path: large, offset: 10, limit: 20 } } : undefined,
      small ? { label: 'Its bytes', input: { path: small, encoding: 'base64' } } : undefined,
      { label: 'Outside the workspace', input: { path: '../secrets.txt' } },
    ],
    memory_recall: [
      { label: 'The newest', input: {} },
      { label: 'About tests', input: { query: 'tests', limit: 3 } },
      { label: 'A time that is none', input: { since: 'yesterday' } },
    ],
  }
}
