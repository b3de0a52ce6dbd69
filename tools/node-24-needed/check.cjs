if (Number.parseInt(process.versions.node, 10) < 24) {
	console.error(
		`n8n-core needs Node.js 24, this is ${process.version}: run "npm start" or "npm test" instead, they bring Node.js 24 along, or install Node.js 24 first.`,
	);
	process.exit(1);
}
