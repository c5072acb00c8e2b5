/** How Reverie is set up. What leads to commands, keys or other places is read here and changed elsewhere. */
import { useState } from 'preact/hooks'
import { api, isLockedOut } from '../api.ts'
import { useSettings } from '../app.tsx'
import { Act, Problem, View, Waiting } from '../parts/pieces.tsx'
import { attempt, say } from '../parts/toast.tsx'
import type { Setting, Settings } from '../types.ts'
import { Connect } from './welcome.tsx'

export function SettingsView() {
  const { value: settings, problem } = useSettings()
  return (
    <View title="Settings" about={settings && `Reverie ${settings.version} · ${settings.project}`}>
      <Problem text={problem} />
      {!settings && !problem && <Waiting />}
      {settings && (
        <>
          <Model settings={settings} />
          <Browsers />
          {groupsOf(settings.settings).map(([group, list]) => (
            <section key={group} class="card" aria-label={group}>
              <h2>{group}</h2>
              <ul class="settings">
                {list.map(setting => (
                  <SettingRow key={setting.key} setting={setting} />
                ))}
              </ul>
            </section>
          ))}
          <p class="faint">
            Settings are kept in <code>{settings.home}/config.json</code>, and hold from the next conversation
            on. What has no field here leads to commands, keys, addresses or permissions, and is changed with{' '}
            <code>reverie config set</code>.
          </p>
        </>
      )}
    </View>
  )
}

function Model({ settings }: { settings: Settings }) {
  const { model, keys } = settings
  return (
    <>
      {(model.isEmbedded || model.problem !== null) && <Connect settings={settings} isHere />}
      <section class="card" aria-label="Model">
        <h2>Model</h2>
        <p>
          <strong>{model.id}</strong>, because {model.reason}.
        </p>
        {keys.length > 0 && (
          <ul>
            {keys.map(({ provider, place, found }) => (
              <li key={provider}>
                {provider}: {found ? `key found in ${place}` : `key should be in ${place}, which is not set`}
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}

function Browsers() {
  const [link, setLink] = useState<string>()
  return (
    <section class="card" aria-label="Browsers">
      <h2>Browsers</h2>
      <p>This page opens for browsers that came with a link. Each link works once.</p>
      {link !== undefined && (
        <p>
          <input
            class="wide"
            readOnly
            value={link}
            aria-label="Link for another browser"
            onFocus={event => event.currentTarget.select()}
          />
        </p>
      )}
      <div class="actions">
        <Act run={async () => setLink((await api.post<{ url: string }>('links')).url)}>
          Make a link for another browser
        </Act>
        <Act
          kind="quiet is-danger"
          run={async () => {
            await api.delete('visitors')
            isLockedOut.value = true
          }}
        >
          Send all browsers away
        </Act>
      </div>
    </section>
  )
}

const TITLES: Record<string, string> = {
  '': 'Talking',
  dream: 'Dreams',
  memory: 'Memory',
  web: 'The web',
  prompt: 'Prompt',
  budget: 'Budget',
  api: 'The API for programs',
  providers: 'Providers',
  mcp: 'MCP servers',
}

function groupsOf(settings: Setting[]): [string, Setting[]][] {
  const groups = Map.groupBy(settings, ({ key }) => {
    const group = key.includes('.') ? (key.split('.')[0] ?? '') : ''
    return TITLES[group] ?? group.replace(/^./, first => first.toUpperCase())
  })
  return [...groups]
}

function SettingRow({
  setting: { key, description, value, choices, isSet, secret, source, canChange },
}: {
  setting: Setting
}) {
  const isPlain = value === null || typeof value !== 'object'
  const [draft, setDraft] = useState<string>()
  const shown = secret ? (isSet ? '••••••••' : '') : isPlain ? String(value ?? '') : JSON.stringify(value)
  const save = async (text: string | null) => {
    if (await attempt(() => api.put(`settings/${key}`, { value: text }))) {
      setDraft(undefined)
      say('Saved.')
    }
  }
  const id = `setting-${key}`
  return (
    <li>
      <label for={canChange ? id : undefined}>
        <code>{key}</code>
        <span class="faint">{description}</span>
      </label>
      {!canChange && <span class="setting-value">{shown || <span class="faint">not set</span>}</span>}
      {canChange && typeof value === 'boolean' && (
        <input
          id={id}
          type="checkbox"
          checked={value}
          onChange={event => void save(String(event.currentTarget.checked))}
        />
      )}
      {canChange && choices && (
        <select id={id} value={shown} onChange={event => void save(event.currentTarget.value)}>
          {choices.map(choice => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      )}
      {canChange && !choices && typeof value !== 'boolean' && (
        <form
          class="inline"
          onSubmit={event => {
            event.preventDefault()
            if (draft !== undefined) void save(draft.trim() === '' ? null : draft.trim())
          }}
        >
          <input
            id={id}
            value={draft ?? shown}
            placeholder="not set"
            onInput={event => setDraft(event.currentTarget.value)}
          />
          {draft !== undefined && draft !== shown && (
            <button type="submit" class="solid">
              Save
            </button>
          )}
        </form>
      )}
      {source !== 'default' && (
        <span class="faint">{source === 'owner' ? 'set by you' : `from the ${source}`}</span>
      )}
    </li>
  )
}
