/**
 * Stops `npm publish` on somebody's own machine: such a package has no provenance, without which n8n verifies none.
 * publish.yml publishes a tarball that is packed already, and no scripts run there.
 *
 * @throws Error always
 */
export function refusePublish() {
	throw new Error('GitHub Actions publishes this package, once its tag is pushed: npm run release');
}
