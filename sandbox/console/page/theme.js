// Runs before the page is painted: a chosen theme does not flash the other one first.
const theme = localStorage.getItem('theme');
if (theme === 'light' || theme === 'dark') {
	document.documentElement.dataset.theme = theme;
}
