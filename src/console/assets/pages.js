/* What pages do better where scripts run. Without it all of them work, charts aside. */

function setUp(root) {
  for (const button of root.querySelectorAll('[data-copy]')) showCopy(button);
  for (const select of root.querySelectorAll('[data-submit]')) {
    select.addEventListener('change', () => select.form.requestSubmit());
  }
  for (const input of root.querySelectorAll('[data-confirm]')) guard(input);
  for (const time of root.querySelectorAll('time[data-local]')) showLocal(time);
  for (const plot of root.querySelectorAll('[data-chart]')) drawChart(plot);
}

function showCopy(button) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const text = document.getElementById(button.dataset.copy).textContent;
    const label = button.firstChild;
    const before = label.textContent;
    try {
      await navigator.clipboard.writeText(text);
      label.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(document.getElementById(button.dataset.copy));
      label.textContent = 'Press Ctrl+C';
    }
    setTimeout(() => {
      label.textContent = before;
    }, 2000);
  });
}

/** A dangerous button wakes up when the name is typed. */
function guard(input) {
  const button = input.form.querySelector('button[type="submit"]');
  const check = () => {
    button.disabled = input.value.trim() !== input.dataset.confirm;
  };
  input.addEventListener('input', check);
  check();
}

/** The page says UTC; the reader's own time stands in the title. */
function showLocal(time) {
  time.title = `${new Date(time.dateTime).toLocaleString()} your time`;
}

/** A secret does not stay behind when the page is left. */
addEventListener('pagehide', () => {
  for (const id of ['secret', 'curl', 'mcp', 'invitation']) document.getElementById(id)?.replaceChildren();
});

/** On a narrow page the menu is closed at first. */
function closeMenu() {
  if (matchMedia('(max-width: 52rem)').matches) document.querySelector('details.menu')?.removeAttribute('open');
}

const HEIGHT = 220;
const BAR_SHARE = 0.72;

/** Stacked bars by day. */
function drawChart(plot) {
  if (typeof uPlot === 'undefined') return;
  const { days, series } = JSON.parse(plot.dataset.chart);
  const times = days.map((day) => Date.parse(day) / 1000);
  const sums = days.map(() => 0);
  // The last is drawn first, over all the others, so each shows its own part.
  const stacked = series.map(({ values }) =>
    values.map((value, index) => {
      sums[index] += value;
      return sums[index];
    }),
  );
  // Amounts of money have parts; requests have none, and at least one step.
  const isWhole = sums.every(Number.isInteger);
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const colourOf = (name) => colour(name.startsWith('key-') ? `--${name}` : `--bar-${name}`);
  const paths = uPlot.paths.bars({ size: [BAR_SHARE, 28], radius: 0.15 });
  const axis = { stroke: colour('--muted'), font: '12px Inter, system-ui, sans-serif', ticks: { show: false } };
  const text = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const chart = new uPlot(
    {
      width: plot.clientWidth,
      height: HEIGHT,
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: {
        x: { time: true, range: (_, from, to) => [from - 43_200, to + 43_200] },
        y: { range: (_, __, to) => [0, isWhole ? Math.max(to * 1.08, 1) : to * 1.08] },
      },
      axes: [
        { ...axis, grid: { show: false }, values: (_, splits) => splits.map((at) => text.format(new Date(at * 1000))) },
        {
          ...axis,
          grid: { stroke: colour('--line'), width: 1 },
          size: 56,
          values: (_, splits) =>
            splits.map((value) => (isWhole && !Number.isInteger(value) ? '' : value.toLocaleString('en-US'))),
        },
      ],
      series: [
        { label: 'Day', value: (_, at) => (at === null ? '' : text.format(new Date(at * 1000))) },
        ...series
          .map(({ name, colour: tone, values }) => ({
            label: name,
            fill: colourOf(tone),
            stroke: colourOf(tone),
            width: 0,
            paths,
            points: { show: false },
            value: (_, __, ___, index) => (index === null ? '' : values[index].toLocaleString('en-US')),
          }))
          .reverse(),
      ],
    },
    [times, ...stacked.reverse()],
    plot,
  );
  new ResizeObserver(() => chart.setSize({ width: plot.clientWidth, height: HEIGHT })).observe(plot);
}

closeMenu();
setUp(document);
document.addEventListener('htmx:after:swap', () => {
  for (const time of document.querySelectorAll('time[data-local]')) showLocal(time);
});
