console.log(JSON.stringify({ initialised: performance.now(), answered: performance.now() }));
