import { createOpfs } from 'toolport/adapters/opfs'

addEventListener('message', async ({ data: { name } }) => {
  const said = await createOpfs({ name })
    .write('/a', new TextEncoder().encode('from the other page'))
    .then(() => 'done', String)
  parent.postMessage(said, '*')
})
parent.postMessage('ready', '*')
