/** The few drawings of this page. They say nothing by themselves: whatever holds one has a name. */

const PATHS = {
  auto: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 3v18M15 4.2v15.6M18 6v12',
  sun: 'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4A8.5 8.5 0 1 0 20 14.5',
  chevron: 'M9 6l6 6l-6 6',
  send: 'M4 12l16-8l-6 16l-3-7z',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, className }: { readonly name: IconName; readonly className?: string | undefined }) {
  return (
    <svg
      className={className}
      width="20"
      height="20"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
