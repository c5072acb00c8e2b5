/** An agent that remembers from one conversation to the next. `embedded` needs no key; leave it out for your model. */
import { createAgent } from 'reverie'

{
  await using agent = await createAgent({ project: '.', model: 'embedded' })
  await agent.ask('I prefer tabs for indentation. Remember that.')
}

await using agent = await createAgent({ project: '.', model: 'embedded' })
const { text } = await agent.ask('What did I tell you about indentation?')
console.log(text)
