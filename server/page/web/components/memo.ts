/** Draws a component again only if one of its properties is another value than before. */

import { Component, type ComponentClass, type ComponentChildren } from 'preact'

export function memo<Props extends object>(
  draw: (props: Props) => ComponentChildren,
): ComponentClass<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const before = new Map(Object.entries(this.props))
      const after = Object.entries(next)
      return after.some(([name, value]) => before.get(name) !== value)
    }

    override render(props: Props): ComponentChildren {
      return draw(props)
    }
  }
}
