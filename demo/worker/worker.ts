export default {
  fetch: (): Response => new Response('toolport'),
} satisfies ExportedHandler
