/** What was learnt of models' tokens, from one session to the next. It may be deleted at any time. */
import { join } from 'node:path'
import type { Home } from '../config/index.ts'
import { ensureDirectory, readSmallFile, writeFileAtomic } from '../store/index.ts'
import { type Calibration, UNCALIBRATED } from './tokens.ts'

const file = (home: Home) => join(home.cache, 'tokens.json')

export function loadCalibration(home: Home): Calibration {
  try {
    const factors: unknown = JSON.parse(readSmallFile(file(home)) ?? '{}')
    if (typeof factors !== 'object' || factors === null) return UNCALIBRATED
    const known = Object.entries(factors).filter(([, factor]) => Number.isFinite(factor) && factor > 0)
    return { factors: Object.fromEntries(known) }
  } catch {
    return UNCALIBRATED
  }
}

/** A change smaller than this is not worth a write. */
const WORTH_WRITING = 0.02

export async function saveCalibration(home: Home, { factors }: Calibration): Promise<void> {
  const before = loadCalibration(home).factors
  const news = Object.entries(factors).filter(
    ([model, factor]) => Math.abs((before[model] ?? 0) / factor - 1) > WORTH_WRITING,
  )
  if (news.length === 0) return
  await ensureDirectory(home.cache)
  await writeFileAtomic(file(home), `${JSON.stringify({ ...before, ...Object.fromEntries(news) })}\n`)
}
