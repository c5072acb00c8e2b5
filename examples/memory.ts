/** Memory alone: save, recall, dream. No model, no key, no network. */
import { openMemory } from 'reverie'

using memory = await openMemory({ project: '.' })

await memory.save({
  type: 'user',
  name: 'Prefers tabs',
  description: 'Indents with tabs, never spaces',
  body: 'Use tabs for indentation, in every language.',
})

for (const { name, note } of await memory.recall('how should I indent this file?')) {
  console.log(`${name}: ${note}`)
}

const dream = await memory.dream({ force: true })
console.log(`dream: ${dream.status}`)
