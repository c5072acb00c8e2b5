/** Tokens and money per day. */
import { useData } from '../data.ts'
import { Bars } from '../parts/charts.tsx'
import { Empty, Problem, View, Waiting } from '../parts/pieces.tsx'
import type { Usage } from '../types.ts'
import { day, many, money, short } from '../words.ts'

const DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000
const TOKENS = [
  { name: 'Read from the cache', tone: 'cached' },
  { name: 'Read', tone: 'in' },
  { name: 'Written', tone: 'out' },
]
const COST = [{ name: 'US dollars', tone: 'usd' }]

export function UsageView() {
  const { value, problem } = useData<Usage>('usage', ['sessions'])
  return (
    <View
      title="Usage"
      about="What language models were asked, per day. The built-in mind and recall cost nothing."
    >
      <Problem text={problem} />
      {!value && !problem && <Waiting />}
      {value && value.days.length === 0 && (
        <Empty title="No token was spent yet">Memory, recall and search work without any.</Empty>
      )}
      {value && value.days.length > 0 && <Report usage={value} />}
    </View>
  )
}

function Report({ usage: { days, models, total } }: { usage: Usage }) {
  const last = lastDays().map(
    each =>
      days.find(({ day }) => day === each) ?? { day: each, in: 0, out: 0, cached: 0, usd: null, replies: 0 },
  )
  return (
    <>
      <dl class="figures">
        <Figure name="Tokens read" value={short(total.in)} />
        <Figure name="Tokens written" value={short(total.out)} />
        <Figure
          name="From the cache"
          value={total.in === 0 ? '–' : `${Math.round((100 * total.cached) / total.in)} %`}
        />
        <Figure name="Cost" value={total.usd === null ? 'not known' : money(total.usd)} />
      </dl>
      <section class="card" aria-label="Tokens per day">
        <h2>Tokens per day</h2>
        <Bars
          series={TOKENS}
          format={short}
          label={`Tokens per day of the last ${DAYS} days; ${short(total.in + total.out)} in all`}
          columns={last.map(({ day: at, in: read, out, cached }) => ({
            label: day(at),
            title: `${day(at)}: ${short(read)} read, ${short(out)} written`,
            values: [cached, Math.max(0, read - cached), out],
          }))}
        />
      </section>
      {total.usd !== null && total.usd > 0 && (
        <section class="card" aria-label="Cost per day">
          <h2>Cost per day</h2>
          <Bars
            series={COST}
            format={value => `$${value.toFixed(total.usd !== null && total.usd < 0.1 ? 3 : 2)}`}
            isWhole={false}
            label={`Cost per day of the last ${DAYS} days; ${money(total.usd)} in all`}
            columns={last.map(({ day: at, usd }) => ({
              label: day(at),
              title: `${day(at)}: ${money(usd ?? 0)}`,
              values: [usd ?? 0],
            }))}
          />
        </section>
      )}
      <section class="card" aria-label="Models">
        <h2>By model</h2>
        <div class="table">
          <table>
            <thead>
              <tr>
                <th>Model</th>
                <th class="number">Read</th>
                <th class="number">Written</th>
                <th class="number is-wide">Replies</th>
                <th class="number">Cost</th>
              </tr>
            </thead>
            <tbody>
              {models.map(({ model, in: read, out, replies, usd }) => (
                <tr key={model}>
                  <td class="model">{model || 'not known'}</td>
                  <td class="number">{short(read)}</td>
                  <td class="number">{short(out)}</td>
                  <td class="number is-wide">{replies}</td>
                  <td class="number">{usd === null ? '–' : money(usd)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p class="faint">
          {many(total.replies, 'reply')} in all. Prices are those that are known of the models; a bill may
          differ.
        </p>
      </section>
    </>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function lastDays(): string[] {
  const now = Date.now()
  return Array.from({ length: DAYS }, (_, at) =>
    new Date(now - (DAYS - 1 - at) * DAY_MS).toLocaleDateString('sv'),
  )
}
