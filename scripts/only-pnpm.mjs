// The workspace is installed by the pnpm that scripts/lib/install.mjs pins; npm would lay out a tree that hides undeclared imports.
if (!(process.env.npm_config_user_agent ?? '').startsWith('pnpm/')) {
  console.error(
    'This workspace is not installed with npm. Run `npm start` or `npm test`: they install what is needed themselves.',
  )
  process.exit(1)
}
