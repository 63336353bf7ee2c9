/** The contrast of colours as WCAG 2 defines it. */

type Palette = {
  /** The contrast between two colours, which does not depend on their order. */
  readonly contrast: (a: string, b: string) => number
}

/** The colours that a style names, each as a light and a dark one. */
export function paletteOf(style: string, scheme: 'light' | 'dark'): Palette {
  const colors = new Map(
    [...style.matchAll(/--([\w-]+): light-dark\(#(\w{6}), #(\w{6})\)/g)].map(
      ([, name = '', light = '', dark = '']) => {
        const hex = scheme === 'light' ? light : dark
        const parts = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
        return [name, luminance(parts)]
      },
    ),
  )
  const of = (name: string): number => colors.get(name) ?? Number.NaN
  return { contrast: (a, b) => (Math.max(of(a), of(b)) + 0.05) / (Math.min(of(a), of(b)) + 0.05) }
}

/** Of red, green and blue, each from 0 to 1. */
function luminance(color: readonly number[]): number {
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = color.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
