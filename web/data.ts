/** What a view shows: asked for when it appears, and again whenever it has changed. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { api, sentenceOf } from './api.ts'
import { live } from './live.ts'

export interface Data<T> {
  value: T | undefined
  problem: string | undefined
  refresh(): Promise<void>
}

/** Changes that come in a row are looked at once. */
const SETTLE_MS = 120

export function useData<T>(path: string | undefined, topics: readonly string[] = []): Data<T> {
  const [value, setValue] = useState<{ path: string; value: T }>()
  const [problem, setProblem] = useState<string>()
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
      if (mine === asked.current) setProblem(sentenceOf(error))
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
  return { value: value?.path === path ? value?.value : undefined, problem, refresh }
}
