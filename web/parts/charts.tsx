/** Pictures of numbers, drawn as SVG in the width that there is. */
import { useEffect, useRef, useState } from 'preact/hooks'

export interface Series {
  name: string
  /** A class, which gives it its colour. */
  tone: string
}

const HEIGHT = 160
const MARGIN = { top: 10, right: 4, bottom: 22, left: 42 }
/** Wider bars than this look like walls. */
const WIDEST_BAR = 38

interface Column {
  label: string
  /** Said where somebody points. */
  title: string
  values: readonly number[]
  isFaint?: boolean
}

/** Bars that stand on each other, one column for each time. */
export function Bars({
  series,
  columns,
  label,
  format = String,
  isWhole = true,
  onPick,
}: {
  series: readonly Series[]
  columns: readonly Column[]
  label: string
  format?(value: number): string
  /** Whether there is nothing between one and two. */
  isWhole?: boolean
  onPick?(at: number): void
}) {
  const { ref, width } = useWidth()
  const most = Math.max(...columns.map(({ values }) => sum(values)))
  const { y, ticks } = scale(most, isWhole)
  const inner = Math.max(0, width - MARGIN.left - MARGIN.right)
  const step = inner / Math.max(1, columns.length)
  const bar = Math.min(WIDEST_BAR, Math.max(2, step * 0.66))
  const every = Math.ceil(columns.length / Math.max(1, Math.floor(inner / 70)))
  return (
    <figure class="chart" ref={ref}>
      {series.length > 1 && <Legend series={series} />}
      <div class="canvas">
        {width > 0 && columns.length > 0 && (
          <svg width={width} height={HEIGHT} role="img" aria-label={label}>
            <Grid ticks={ticks} y={y} width={width} format={format} />
            {columns.map(({ label, title, values, isFaint }, at) => {
              const x = MARGIN.left + step * at + (step - bar) / 2
              let below = 0
              return (
                <g key={at} class={isFaint ? 'is-faint' : undefined} onClick={() => onPick?.(at)}>
                  <title>{title}</title>
                  <rect
                    class="hit"
                    x={MARGIN.left + step * at}
                    y={0}
                    width={step}
                    height={HEIGHT - MARGIN.bottom}
                  />
                  {values.map((value, kind) => {
                    const [from, to] = [y(below), y(below + value)]
                    below += value
                    return value === 0 ? null : (
                      <rect
                        key={series[kind]?.name}
                        class={`fill-${series[kind]?.tone}`}
                        x={x}
                        y={to}
                        width={bar}
                        height={Math.max(1, from - to)}
                        rx={1.5}
                      />
                    )
                  })}
                  {at % every === 0 && (
                    <text x={x + bar / 2} y={HEIGHT - 6} text-anchor="middle">
                      {label}
                    </text>
                  )}
                </g>
              )
            })}
          </svg>
        )}
      </div>
    </figure>
  )
}

/** Areas that lie on each other over time; between two points nothing changes. */
export function Areas({
  series,
  points,
  label,
}: {
  series: readonly Series[]
  points: readonly { at: string; values: readonly number[] }[]
  label: string
}) {
  const { ref, width } = useWidth()
  const [first, last] = [points[0], points.at(-1)]
  const most = Math.max(1, ...points.map(({ values }) => sum(values)))
  const { y, ticks } = scale(most, true)
  const [begin, end] = [Date.parse(first?.at ?? ''), Date.parse(last?.at ?? '')]
  // What is there now is seen, also when it came a moment ago.
  const now = 10
  const inner = Math.max(0, width - MARGIN.left - MARGIN.right - now)
  const x = (at: string) => MARGIN.left + (inner * (Date.parse(at) - begin)) / Math.max(1, end - begin)
  const area = (kind: number) => {
    const level = (values: readonly number[], upTo: number) => y(sum(values.slice(0, upTo)))
    const upper = points.map(({ at, values }, index) => {
      const height = level(values, kind + 1)
      return `${index === 0 ? 'M' : 'H'}${x(at)}${index === 0 ? ` ${height}` : ` V${height}`}`
    })
    const lower = points.toReversed().map(({ at, values }, index, all) => {
      const next = all[index + 1]
      return `L${x(at)} ${level(values, kind)}${next ? ` V${level(next.values, kind)}` : ''}`
    })
    const right = width - MARGIN.right
    const end = `H${right} V${level(last?.values ?? [], kind)}`
    return `${upper.join(' ')} ${end} ${lower.join(' ')} Z`
  }
  return (
    <figure class="chart" ref={ref}>
      <Legend series={series} />
      <div class="canvas">
        {width > 0 && first && last && (
          <svg width={width} height={HEIGHT} role="img" aria-label={label}>
            <Grid ticks={ticks} y={y} width={width} format={String} />
            {series.map(({ name, tone }, kind) => (
              <path key={name} class={`fill-${tone}`} d={area(kind)} />
            ))}
            <text x={MARGIN.left} y={HEIGHT - 6}>
              {shortDay(first.at)}
            </text>
            <text x={width - MARGIN.right} y={HEIGHT - 6} text-anchor="end">
              {shortDay(last.at)}
            </text>
          </svg>
        )}
      </div>
    </figure>
  )
}

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <figcaption class="legend">
      {series.map(({ name, tone }) => (
        <span key={name}>
          <i class={`swatch back-${tone}`} /> {name}
        </span>
      ))}
    </figcaption>
  )
}

function Grid({
  ticks,
  y,
  width,
  format,
}: {
  ticks: number[]
  y(value: number): number
  width: number
  format(value: number): string
}) {
  return (
    <>
      {ticks.map(tick => (
        <g key={tick} class="grid">
          <line x1={MARGIN.left} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} />
          <text x={MARGIN.left - 6} y={y(tick) + 3.5} text-anchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
    </>
  )
}

/** Round numbers up to the greatest. */
function scale(most: number, isWhole: boolean) {
  const rough = Math.max(most, isWhole ? 1 : 0.01) / 3
  const power = 10 ** Math.floor(Math.log10(rough))
  const round = [1, 2, 5, 10].map(each => each * power).find(each => each >= rough) ?? power
  const step = isWhole ? Math.max(1, round) : round
  const count = Math.max(1, Math.ceil(most / step))
  const bottom = HEIGHT - MARGIN.bottom
  const y = (value: number) => bottom - ((bottom - MARGIN.top) * value) / (count * step)
  return { y, ticks: Array.from({ length: count + 1 }, (_, at) => at * step) }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function shortDay(at: string): string {
  return new Date(at).toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
}

function useWidth() {
  const ref = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!ref.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}
