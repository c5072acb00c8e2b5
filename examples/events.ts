/** Everything that happens while an answer comes into being. */
import { createAgent } from 'reverie'

await using agent = await createAgent({ project: '.', model: 'embedded' })

for await (const event of agent.send('I deploy on Fridays. Remember that.')) {
  if (event.type === 'tool-started') console.log(`→ ${event.call.tool}`)
  if (event.type === 'effect' && event.effect.kind === 'remembered')
    console.log(`remembered ${event.effect.file}`)
  if (event.type === 'ended') console.log(event.end.reason)
}
