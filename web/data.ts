/** What a view shows: asked for when it appears, and again whenever it has changed. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { api, Refused, sentenceOf } from './api.ts'
import { live } from './live.ts'

/** A status of the server's. */
export const GONE = 404

export interface Data<T> {
  value: T | undefined
  problem: string | undefined
  /** There is no such thing, or not any more: the value is the last that there was. */
  isGone: boolean
  refresh(): Promise<void>
}

/** Changes that come in a row are looked at once. */
const SETTLE_MS = 120

export function useData<T>(path: string | undefined, topics: readonly string[] = []): Data<T> {
  const [value, setValue] = useState<{ path: string; value: T }>()
  const [problem, setProblem] = useState<unknown>()
  const asked = useRef(0)
  const refresh = useCallback(async () => {
    if (path === undefined) return
    const mine = ++asked.current
    try {
      const found = await api.get<T>(path)
      if (mine !== asked.current) return
      setValue({ path, value: found })
      setProblem(undefined)
    } catch (error) {
      if (mine === asked.current) setProblem(error)
    }
  }, [path])
  useEffect(() => {
    setProblem(undefined)
    void refresh()
    let waiting: number | undefined
    const soon = () => {
      clearTimeout(waiting)
      waiting = window.setTimeout(() => void refresh(), SETTLE_MS)
    }
    const ends = [...topics, 'reset'].map(topic => live.on(topic, soon))
    return () => {
      clearTimeout(waiting)
      for (const end of ends) end()
    }
  }, [refresh, topics.join()])
  return {
    value: value?.path === path ? value?.value : undefined,
    problem: problem === undefined ? undefined : sentenceOf(problem),
    isGone: problem instanceof Refused && problem.status === GONE,
    refresh,
  }
}
