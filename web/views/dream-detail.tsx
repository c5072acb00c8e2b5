import { api } from '../api.ts'
import { useData } from '../data.ts'
import { Icon } from '../parts/icons.tsx'
import { Act, Diff, Problem, Waiting } from '../parts/pieces.tsx'
import { say } from '../parts/toast.tsx'
import type { DreamDetail as Detail, Undone } from '../types.ts'
import { many, moment } from '../words.ts'

const WHAT = { created: 'New', changed: 'Changed', removed: 'Let go' }

export function DreamDetail({
  id,
  undone,
  onUndone,
}: {
  id: string
  undone: boolean
  onUndone(): Promise<void>
}) {
  const { value: dream, problem } = useData<Detail>(`dreams/${id}`)
  const undo = async () => {
    const { files, conflicts } = await api.post<Undone>(`dreams/${id}/undo`)
    say(`Undone: ${many(files.length, 'file')} as before. No later dream will do the same.`)
    if (conflicts.length > 0)
      say(`Left as they are, because they were changed since: ${conflicts.join(', ')}`)
    await onUndone()
  }
  return (
    <section class="detail" aria-label="Dream">
      <a class="back" href="/dreams">
        <Icon name="back" /> All dreams
      </a>
      <Problem text={problem} />
      {!dream && !problem && <Waiting />}
      {dream && (
        <>
          <header class="detail-head">
            <h2>{moment(dream.at)}</h2>
            <p class="faint">
              {many(dream.changes.length, 'file')} · dreamt by {dream.note.dreamer ?? 'nobody known'} ·{' '}
              <code>{dream.id}</code>
            </p>
            <div class="actions">
              {undone ? (
                <span class="tag">undone</span>
              ) : (
                <Act kind="solid" run={undo}>
                  <Icon name="undo" /> Undo this dream
                </Act>
              )}
            </div>
          </header>
          <Said title="Learnt" lines={dream.note.learnt} />
          <Said title="Let go" lines={dream.note.letGo} />
          {dream.changes.map(({ file, what, patch }) => (
            <section key={file} class="change" aria-label={file}>
              <h3>
                <span class={`tag count-${what}`}>{WHAT[what]}</span> <code>{file}</code>
              </h3>
              {dream.note.findings
                ?.filter(({ files }) => files.includes(file))
                .map(({ kind, detail }) => (
                  <p key={kind + detail} class="faint">
                    {detail}
                  </p>
                ))}
              <Diff patch={patch} label={`What changed in ${file}`} />
            </section>
          ))}
        </>
      )}
    </section>
  )
}

function Said({ title, lines = [] }: { title: string; lines?: string[] | undefined }) {
  if (lines.length === 0) return null
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {lines.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}
