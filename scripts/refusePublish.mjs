// Stops `npm publish` on somebody's own machine: such a package has no provenance, without which n8n verifies none.
// publish.yml publishes a tarball that is packed already, and no scripts run there.
console.error('GitHub Actions publishes this package, once its tag is pushed: npm run release');
process.exitCode = 1;
