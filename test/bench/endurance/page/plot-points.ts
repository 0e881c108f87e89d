/** The curves, drawn by the library that the page can run: it needs a document. */
import * as Plot from '@observablehq/plot'
import type { Point } from '../point.ts'

const MEGA = 1024 * 1024

interface Curve {
  readonly label: string
  readonly y: (point: Point) => number
}

const PLOTS: Readonly<Record<string, { readonly unit: string; readonly curves: readonly Curve[] }>> = {
  'commit-time': {
    unit: 'ms a commit',
    curves: [
      { label: 'median', y: point => point.commitMs },
      { label: '95 of 100', y: point => point.commitP95Ms },
    ],
  },
  'open-time': { unit: 'ms to open', curves: [{ label: 'open', y: point => point.openMs }] },
  'bytes-on-disk': {
    unit: 'bytes on disk for a byte of data',
    curves: [
      { label: 'store', y: point => point.storeBytes / point.dataBytes },
      { label: 'mirror', y: point => point.mirrorBytes / point.dataBytes },
    ],
  },
  memory: { unit: 'MiB', curves: [{ label: 'process', y: point => point.processBytes / MEGA }] },
}

/** @returns SVG files by name. They stand on white, so that they can be read on a dark page as well. */
export function plotPoints(points: readonly Point[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(PLOTS).map(([name, { unit, curves }]) => {
      const rows = curves.flatMap(({ label, y }) => points.map(point => ({ commits: point.commits, label, y: y(point) })))
      const svg = Plot.plot({
        width: 640,
        height: 300,
        marginLeft: 56,
        marginRight: 70,
        style: { background: 'white', color: 'black' },
        x: { label: 'commits', tickFormat: 's', nice: true },
        y: { label: unit, zero: true, grid: true, nice: true },
        color: { scheme: 'Tableau10' },
        marks: [
          Plot.lineY(rows, { x: 'commits', y: 'y', stroke: 'label' }),
          Plot.text(rows, Plot.selectLast({ x: 'commits', y: 'y', z: 'label', text: 'label', textAnchor: 'start', dx: 6 })),
        ],
      })
      svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
      svg.setAttribute('role', 'img')
      svg.setAttribute('aria-label', `${unit}, by commits`)
      return [name, `${svg.outerHTML}\n`]
    }),
  )
}
