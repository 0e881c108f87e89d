/** Of a sample: the middle, and what 95 of 100 stay below. */
export function median(sample: readonly number[]): number {
  return quantile(sample, 0.5)
}

export function p95(sample: readonly number[]): number {
  return quantile(sample, 0.95)
}

/** Between neighbours by distance; NaN of nothing. */
function quantile(sample: readonly number[], share: number): number {
  const sorted = sample.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const [below, above] = [sorted[Math.floor(place)] ?? NaN, sorted[Math.ceil(place)] ?? NaN]
  return below + (above - below) * (place - Math.floor(place))
}
