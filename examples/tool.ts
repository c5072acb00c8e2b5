/** A tool of your own, and who decides about the others. */
import { createAgent, tool } from 'reverie'

const weather = tool({
  name: 'weather',
  description: 'The weather in a city, now.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  readOnly: true,
  run: ({ city }) => `It is sunny in ${city}, 21 °C.`,
})

await using agent = await createAgent({
  project: '.',
  tools: [weather],
  instructions: 'You plan picnics. Look at the weather before you promise anything.',
  // Without this, whatever needs a yes is denied.
  onPermission: async ({ tool, reason }) => {
    console.log(`denied ${tool}: ${reason}`)
    return { answer: 'no' }
  },
})

const { text } = await agent.ask('Is today a day for a picnic in Lisbon?')
console.log(text)
