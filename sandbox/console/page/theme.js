// Runs before the page is painted, so that the other theme does not flash first.
document.documentElement.style.colorScheme = localStorage.getItem('theme') ?? '';
