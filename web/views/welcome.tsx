/** An empty conversation: what one could begin with. */
import { useSettings } from '../app.tsx'
import { Icon } from '../parts/icons.tsx'
import { Problem } from '../parts/pieces.tsx'
import type { Settings } from '../types.ts'

const BEGINNINGS = [
  'Remember that I deploy on Fridays, never on Mondays.',
  'What do you know about me?',
  '/help',
]

export function Welcome({ onSay }: { onSay(text: string): void }) {
  const { value: settings, problem } = useSettings()
  // What it has to say of models is known in a moment: nothing moves then.
  if (!settings && problem === undefined) return <section class="welcome" />
  return (
    <section class="welcome">
      <h1>What should I remember?</h1>
      <p class="about">
        What matters is kept in plain files that are yours. Every change can be read, and undone.
      </p>
      <ul class="beginnings">
        {BEGINNINGS.map(text => (
          <li key={text}>
            <button type="button" onClick={() => onSay(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
      <Problem text={problem} />
      {settings && (settings.model.isEmbedded || settings.model.problem !== null) && (
        <Connect settings={settings} />
      )}
    </section>
  )
}

/** How a language model comes to be there. */
export function Connect({
  settings: { model, start },
  isHere = false,
}: {
  settings: Settings
  isHere?: boolean
}) {
  return (
    <aside class="card connect">
      <h2>
        <Icon name="bulb" />{' '}
        {model.problem === null ? 'No language model is connected yet' : 'The model cannot be used'}
      </h2>
      {model.problem !== null && <p>{model.problem}</p>}
      <p>
        The built-in mind answers: it remembers, forgets, finds and dreams, and costs nothing. To talk with a
        language model, stop Reverie, give it a key, and start it again:
      </p>
      <pre tabIndex={0}>
        <code>{`export ANTHROPIC_API_KEY=…\n${start}`}</code>
      </pre>
      <p>
        <code>OPENAI_API_KEY</code>, <code>GEMINI_API_KEY</code> or <code>XAI_API_KEY</code> do as well.
        Ollama on this machine needs no key: choose a model such as <code>ollama/llama3.2</code>{' '}
        {isHere ? 'below, under Talking.' : <a href="/settings">in the settings</a>}
        {!isHere && '.'}
      </p>
    </aside>
  )
}
