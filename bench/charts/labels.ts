/** Places the labels of dots so that no label covers another label or a dot. */

/** A dot. Coordinates are pixels from the upper left corner of the drawing. */
export type Spot = {
  readonly x: number
  readonly y: number
  readonly radius: number
  /** Empty for a dot without a label. */
  readonly label: string
}

export type Label = {
  readonly text: string
  /** The end of the text that is next to the dot. */
  readonly x: number
  /** The middle of the text height. */
  readonly y: number
  readonly align: 'left' | 'right'
}

export const labelSize = 11

/** The average width of a letter, divided by its height. An upper estimate. */
const letterWidth = 0.56
const halfHeight = 7

type Box = {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/**
 * Returns the labels in the order of the spots. Earlier spots get the best positions. A spot
 * without a free position gets no label.
 */
export function labelsFor(
  spots: readonly Spot[],
  drawing: { readonly width: number; readonly height: number },
): Label[] {
  const dots = spots.map(({ x, y, radius }) => boxAround(x, y, radius))
  const taken: Box[] = []
  return mergedByPosition(spots).flatMap((spot) => {
    const label = positionsOf(spot).find((position) => {
      const box = boxOf(position)
      const isInside = box.left >= 0 && box.right <= drawing.width && box.top >= 0
      const isFree = ![...dots, ...taken].some((other) => overlaps(box, other))
      return isInside && box.bottom <= drawing.height && isFree
    })
    if (!label) return []
    taken.push(boxOf(label))
    return [label]
  })
}

/** Merges the labels of dots at the same position into one. */
function mergedByPosition(spots: readonly Spot[]): Spot[] {
  const byPosition = new Map<string, Spot>()
  for (const spot of spots.filter(({ label }) => label !== '')) {
    const position = `${Math.round(spot.x)} ${Math.round(spot.y)}`
    const other = byPosition.get(position)
    byPosition.set(position, other ? { ...other, label: `${other.label}, ${spot.label}` } : spot)
  }
  return [...byPosition.values()]
}

/**
 * The possible positions of a label, the nearest first. They avoid the interval lines of the dot.
 */
function positionsOf({ x, y, radius, label }: Spot): Label[] {
  return [2, 10, 18, 26].flatMap((gap) => {
    const [across, along] = [radius * 0.7 + 2, radius * 0.7 + 4 + gap]
    return [-along, along].flatMap((dy): Label[] => [
      { text: label, x: x + across, y: y + dy, align: 'left' },
      { text: label, x: x - across, y: y + dy, align: 'right' },
    ])
  })
}

function boxOf({ text, x, y, align }: Label): Box {
  const width = text.length * labelSize * letterWidth
  const left = align === 'left' ? x : x - width
  return { left, right: left + width, top: y - halfHeight, bottom: y + halfHeight }
}

function boxAround(x: number, y: number, radius: number): Box {
  return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}
