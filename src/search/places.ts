/**
 * The number a document has in the index says where it stands: the number of its group, then its place
 * in the group. Neighbours are then the numbers beside it, and a list of numbers tells the groups.
 */

/** 22 bits: four million turns in a session. With 30 bits of group this stays below 2^52. */
export const ORDERS_PER_GROUP = 2 ** 22
export const MOST_GROUPS = 2 ** 30

/** Documents of no group are numbered from here on, within what a JavaScript number holds exactly. */
const UNGROUPED = MOST_GROUPS * ORDERS_PER_GROUP

export function placeInGroup(group: number, order: number): number {
  return group * ORDERS_PER_GROUP + order
}

export function ungroupedPlace(serial: number): number {
  return UNGROUPED + serial
}

export function isGrouped(place: number): boolean {
  return place < UNGROUPED
}

export function groupNumber(place: number): number {
  return Math.floor(place / ORDERS_PER_GROUP)
}

export function orderInGroup(place: number): number {
  return place % ORDERS_PER_GROUP
}

/** The places, and those up to `reach` away from them in their groups. */
export function withNeighbours(places: readonly number[], reach: number): number[] {
  const all = new Set(places)
  for (const place of places) {
    if (!isGrouped(place)) continue
    for (let step = -reach; step <= reach; step++) {
      if (groupNumber(place + step) === groupNumber(place)) all.add(place + step)
    }
  }
  return [...all]
}
