class Box {}

class Main
{
    void Draw(int width, int height = 2, string title = "x") {}
    void Draw(Box box, int depth = 1) {}
    void Draw(string text) {}
    void Log(string format, params object[] values) {}
    void Log(string text) {}
    void Sum(params int[] numbers) {}
    void Sum(int a, int b) {}
    void Opt(int a, int b = 0) {}
    void Opt(int a) {}

    void Run(object[] all, int[] numbers)
    {
        Draw(1); // calls :Main.Draw@5
        Draw(1, 2); // calls :Main.Draw@5
        Draw(1, title: "a"); // calls :Main.Draw@5
        Draw(height: 1, width: 2); // calls :Main.Draw@5
        Draw(new Box()); // calls :Main.Draw@6, :Box
        Draw(box: new Box(), depth: 3); // calls :Main.Draw@6, :Box
        Draw("a"); // calls :Main.Draw@7
        Log("a"); // calls :Main.Log@9
        Log("a", 1); // calls :Main.Log@8
        Log("a", 1, "b"); // calls :Main.Log@8
        Log("a", all); // calls :Main.Log@8
        Sum(); // calls :Main.Sum@10
        Sum(1); // calls :Main.Sum@10
        Sum(1, 2); // calls :Main.Sum@11
        Sum(1, 2, 3); // calls :Main.Sum@10
        Sum(numbers); // calls :Main.Sum@10
        Opt(1); // calls :Main.Opt@13
        Opt(1, 2); // calls :Main.Opt@12
    }
}
