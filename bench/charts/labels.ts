/** Where the names of dots go, so that none lies over another one or over a dot. */

/** In pixels of the drawing, from its upper left corner. */
export type Spot = {
  readonly x: number
  readonly y: number
  readonly radius: number
  /** Empty for a dot that has none. */
  readonly label: string
}

export type Label = {
  readonly text: string
  /** Of the end that is next to the dot, in mid-height. */
  readonly x: number
  readonly y: number
  readonly align: 'left' | 'right'
}

export const labelSize = 11

/** Letters are this wide on average, of their height: rather too much than too little. */
const letterWidth = 0.56
const halfHeight = 7

type Box = {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** First come, first served; whom there is no room for goes without. */
export function labelsFor(
  spots: readonly Spot[],
  drawing: { readonly width: number; readonly height: number },
): Label[] {
  const dots = spots.map(({ x, y, radius }) => boxAround(x, y, radius))
  const taken: Box[] = []
  return together(spots).flatMap((spot) => {
    const label = placesOf(spot).find((place) => {
      const box = boxOf(place)
      const isInside = box.left >= 0 && box.right <= drawing.width && box.top >= 0
      const isFree = ![...dots, ...taken].some((other) => meets(box, other))
      return isInside && box.bottom <= drawing.height && isFree
    })
    if (!label) return []
    taken.push(boxOf(label))
    return [label]
  })
}

/** Dots in one place have one label. */
function together(spots: readonly Spot[]): Spot[] {
  const byPlace = new Map<string, Spot>()
  for (const spot of spots.filter(({ label }) => label !== '')) {
    const place = `${Math.round(spot.x)} ${Math.round(spot.y)}`
    const there = byPlace.get(place)
    byPlace.set(place, there ? { ...there, label: `${there.label}, ${spot.label}` } : spot)
  }
  return [...byPlace.values()]
}

/** Beside the lines that cross in the dot, the nearest first. */
function placesOf({ x, y, radius, label }: Spot): Label[] {
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

function meets(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}
