/** Tests of the built nodes never run an old build. */
module.exports = async () => {
	const { buildIfChanged } = await import('../scripts/setup/dist.mjs');
	await buildIfChanged();
};
